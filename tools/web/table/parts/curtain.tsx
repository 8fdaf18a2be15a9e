// Hides the table between people who share a device, until the next person confirms.
import { useTable } from "../store";
import { Letter, useName } from "./people";

export function Curtain() {
  const {
    store,
    page: { ui },
  } = useTable();
  const name = useName();
  if (!ui.curtain || ui.observer === null) return null;
  return (
    <div class="curtain" role="dialog" aria-label="hand over the device">
      <p>Hand over to</p>
      <h2>
        <Letter seat={ui.observer} /> {name(ui.observer)}
      </h2>
      <button type="button" class="option main" data-confirm onClick={() => store.set({ curtain: false })}>
        I am {name(ui.observer)}
      </button>
    </div>
  );
}
