// Loads and saves the settings of this device, which are stored in the browser.
export interface Settings {
  confirm: boolean; // ask for confirmation before a picked option is sent
  animations: boolean; // animate moves
  chime: boolean; // play a sound for each own question
  colourScheme: "auto" | "light" | "dark";
}

const kStorageKey = "cardwright settings";

// The stored form has the field names of version 0.1, so that settings that a device stored then remain valid.
interface StoredSettings {
  confirm: boolean;
  flights: boolean;
  chime: boolean;
  theme: Settings["colourScheme"];
}

const defaultSettings = (): Settings => ({
  confirm: matchMedia("(pointer: coarse)").matches,
  animations: true,
  chime: false,
  colourScheme: "auto",
});

export function loadSettings(): Settings {
  try {
    const stored = JSON.parse(localStorage.getItem(kStorageKey) ?? "{}") as Partial<StoredSettings>;
    const { confirm, animations, chime, colourScheme } = defaultSettings();
    return {
      confirm: stored.confirm ?? confirm,
      animations: stored.flights ?? animations,
      chime: stored.chime ?? chime,
      colourScheme: stored.theme ?? colourScheme,
    };
  } catch {
    return defaultSettings(); // invalid data, or storage is not available
  }
}

export function saveSettings({ confirm, animations, chime, colourScheme }: Settings): void {
  const stored: StoredSettings = { confirm, flights: animations, chime, theme: colourScheme };
  try {
    localStorage.setItem(kStorageKey, JSON.stringify(stored));
  } catch {
    // Without storage, the settings are valid until the page is closed.
  }
}

// The person's own order of the cards in each hand, by zone. Each tab stores its own, because a device can show several
// seats. `hash` identifies the rules, to which the numbers belong.
export type HandOrder = ReadonlyMap<number, readonly number[]>;

const orderKey = (hash: string): string => `cardwright order ${location.pathname} ${hash}`;

export function loadOrder(hash: string): HandOrder {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(orderKey(hash)) ?? "[]") as [number, number[]][]);
  } catch {
    return new Map(); // invalid data, or storage is not available
  }
}

export function saveOrder(hash: string, order: HandOrder): void {
  try {
    sessionStorage.setItem(orderKey(hash), JSON.stringify([...order]));
  } catch {
    // Without storage, the order is valid until the page is closed.
  }
}

export const reducesMotion = (settings: Settings): boolean =>
  !settings.animations || matchMedia("(prefers-reduced-motion: reduce)").matches;
