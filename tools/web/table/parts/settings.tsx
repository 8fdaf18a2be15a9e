// Shows the settings of this device, a list of keys, and the options of the game.
import { useTable } from "../store";
import type { Settings } from "../settings";

const kTicks: [keyof Settings & ("confirm" | "animations" | "chime"), string][] = [
  ["confirm", "confirm each choice"],
  ["animations", "animate cards"],
  ["chime", "play a sound when I have to decide"],
];

const kKeys: [string, string][] = [
  ["Tab", "next group"],
  ["← ↑ → ↓", "move within a group"],
  ["Enter", "pick"],
  ["Space", "enlarge a card"],
  ["1 – 9", "choose an option"],
  ["w", "explain why an action is not possible"],
  ["l", "log"],
  ["[ ]", "earlier and later states"],
  ["t", "show as text"],
  ["Esc", "back to now"],
];

export function SettingsPanel() {
  const {
    store,
    page: { settings, ui, model },
  } = useTable();
  return (
    <section class="settings" aria-label="settings">
      <h2>Settings</h2>
      {kTicks.map(([name, words]) => (
        <label>
          <input
            type="checkbox"
            checked={settings[name]}
            onChange={(event) => store.changeSettings({ [name]: event.currentTarget.checked })}
          />{" "}
          {words}
        </label>
      ))}
      <label>
        <input
          type="checkbox"
          checked={ui.asText}
          onChange={(event) => store.set({ asText: event.currentTarget.checked })}
        />{" "}
        show the table as text
      </label>
      <label>
        <span>colors</span>
        <select
          value={settings.colourScheme}
          onChange={(event) =>
            store.changeSettings({ colourScheme: event.currentTarget.value as Settings["colourScheme"] })
          }
        >
          <option value="auto">system default</option>
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
        {(model.welcome?.build ?? "").replace(/^cardwright\b/, "Cardwright")}
        {model.welcome?.settings.bots ? ` · bots think ${model.welcome.settings.bots}` : ""}
      </p>
    </section>
  );
}

export function RulesPanel() {
  const {
    page: { description },
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
