// What one can set at this device, the keys, and the rules in words.
import { useTable } from "../store";
import type { Settings } from "../settings";

const kTicks: [keyof Settings & ("confirm" | "flights" | "chime"), string][] = [
  ["confirm", "ask before what I point at is done"],
  ["flights", "cards are seen to move"],
  ["chime", "a sound when I am asked"],
];

const kKeys: [string, string][] = [
  ["Tab", "to the next part of the table"],
  ["← ↑ → ↓", "inside it"],
  ["Enter", "point at it"],
  ["Space", "look at a card"],
  ["1 – 9", "choices"],
  ["w", "why can’t I?"],
  ["l", "what happened"],
  ["[ ]", "back and forth in time"],
  ["t", "all in words"],
  ["Esc", "back to now"],
];

export function SettingsPanel() {
  const {
    store,
    shown: { settings, doing, model },
  } = useTable();
  return (
    <section class="settings" aria-label="settings">
      <h2>Settings</h2>
      {kTicks.map(([name, words]) => (
        <label>
          <input
            type="checkbox"
            checked={settings[name]}
            onChange={(event) => store.prefer({ [name]: event.currentTarget.checked })}
          />{" "}
          {words}
        </label>
      ))}
      <label>
        <input
          type="checkbox"
          checked={doing.as_text}
          onChange={(event) => store.set({ as_text: event.currentTarget.checked })}
        />{" "}
        the table in words
      </label>
      <label>
        colours{" "}
        <select
          value={settings.theme}
          onChange={(event) => store.prefer({ theme: event.currentTarget.value as Settings["theme"] })}
        >
          <option value="auto">as this device has them</option>
          <option value="light">light</option>
          <option value="dark">dark</option>
        </select>
      </label>
      <h2>Keys</h2>
      <dl class="keys">
        {kKeys.map(([key, words]) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p class="soft">
        Cardwright {model.welcome?.build}
        {model.welcome?.settings.bots ? ` · bots think ${model.welcome.settings.bots}` : ""}
      </p>
    </section>
  );
}

export function RulesPanel() {
  const {
    shown: { description },
  } = useTable();
  return (
    <section class="rules" aria-label="rules">
      <h2>{description.title}</h2>
      {description.about ? <p>{description.about}</p> : null}
      {description.options.length ? (
        <ul>
          {description.options.map(([name, value]) => (
            <li>
              {name.replaceAll("_", " ")}: {value.replaceAll("_", " ")}
            </li>
          ))}
        </ul>
      ) : null}
      <pre>{description.rules.join("\n")}</pre>
    </section>
  );
}
