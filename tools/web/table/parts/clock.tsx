// Shows the clock of a race, interpolated between messages.
import { useEffect, useRef } from "preact/hooks";
import { useTable } from "../store";

const seconds = (us: number): string => (us / 1e6).toFixed(1);

export function RaceClock() {
  const {
    page: { model },
  } = useTable();
  const clock = model.clock;
  const hand = useRef<HTMLElement>(null);
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!clock) return;
    let frame = 0;
    const draw = (): void => {
      const gone = (((clock.pausedSince ?? performance.now()) - clock.since) * 1000) / Math.max(1, clock.factor);
      const now = Math.min(clock.now + gone, clock.next ?? Infinity);
      if (hand.current) hand.current.textContent = `${seconds(now)} s`;
      const span = clock.next === null ? 0 : clock.next - clock.now;
      if (bar.current) bar.current.style.width = span > 0 ? `${Math.min(100, ((now - clock.now) / span) * 100)}%` : "0";
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [clock]);
  if (!clock) return null;
  return (
    <div class={`clock${clock.paused === null ? "" : " paused"}`} role="timer" aria-label="the clock of the race">
      <b ref={hand} />
      {clock.next === null ? null : (
        <span class="until">
          <i ref={bar} />
        </span>
      )}
      {clock.paused === null ? null : <em>paused until {seconds(clock.paused)} s</em>}
      {clock.running.length ? (
        <ul>
          {clock.running.map((line) => (
            <li>{line}</li>
          ))}
        </ul>
      ) : null}
      {clock.held > 1 ? (
        <small title="added so that all players have the same delay">held {Math.round(clock.held)} ms</small>
      ) : null}
    </div>
  );
}
