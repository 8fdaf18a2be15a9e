// What somebody likes on this device, kept in the browser.
export interface Settings {
  confirm: boolean; // before an option that was pointed at is sent
  flights: boolean; // what moves is seen to move
  chime: boolean; // when I am asked
  theme: "auto" | "light" | "dark";
}

const kPlace = "cardwright settings";

const standard = (): Settings => ({
  confirm: matchMedia("(pointer: coarse)").matches,
  flights: true,
  chime: false,
  theme: "auto",
});

export function load_settings(): Settings {
  try {
    return { ...standard(), ...(JSON.parse(localStorage.getItem(kPlace) ?? "{}") as Partial<Settings>) };
  } catch {
    return standard(); // not ours, or a browser that keeps nothing
  }
}

export function save_settings(settings: Settings): void {
  try {
    localStorage.setItem(kPlace, JSON.stringify(settings));
  } catch {
    // kept until the page is closed
  }
}

export const still = (settings: Settings): boolean =>
  !settings.flights || matchMedia("(prefers-reduced-motion: reduce)").matches;
