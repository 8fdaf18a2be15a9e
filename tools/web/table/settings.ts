// Settings of this device, stored in the browser.
export interface Settings {
  confirm: boolean; // ask for confirmation before a picked option is sent
  flights: boolean; // animate moves
  chime: boolean; // play a sound for each own question
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
    return standard(); // invalid data, or storage is not available
  }
}

export function save_settings(settings: Settings): void {
  try {
    localStorage.setItem(kPlace, JSON.stringify(settings));
  } catch {
    // valid until the page is closed
  }
}

export const still = (settings: Settings): boolean =>
  !settings.flights || matchMedia("(prefers-reduced-motion: reduce)").matches;
