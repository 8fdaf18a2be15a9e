// Hides the table between people who share a device, until the next person confirms.
import { useTable } from "../store";
import { Letter, use_name } from "./people";

export function Curtain() {
  const {
    store,
    shown: { doing },
  } = useTable();
  const name = use_name();
  if (!doing.curtain || doing.looking === null) return null;
  return (
    <div class="curtain" role="dialog" aria-label="hand over the device">
      <p>Hand over to</p>
      <h2>
        <Letter seat={doing.looking} /> {name(doing.looking)}
      </h2>
      <button type="button" class="option main" data-confirm onClick={() => store.set({ curtain: false })}>
        I am {name(doing.looking)}
      </button>
    </div>
  );
}
