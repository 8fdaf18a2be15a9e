// Announces changes to screen readers: uses a polite live region for the log, and an assertive one for questions and
// the countdown at ten and three seconds.
import { questionText } from "./question_text";
import type { PageState } from "./store";

export class Speech {
  private announced = 0; // number of announced log lines
  private observer: number | null | undefined;
  private q = "";
  private seconds = Infinity;
  private notice = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly polite: HTMLElement,
    private readonly assertive: HTMLElement,
    private readonly chime: () => void,
  ) {}

  update(page: PageState): void {
    this.news(page);
    this.question(page);
    const { notice, answers } = page.model;
    const at = Math.max(notice?.at ?? 0, answers?.at ?? 0);
    if (at > this.notice) {
      this.notice = at;
      this.assertive.textContent = answers && answers.at === at ? answers.answers.join(". ") : (notice?.text ?? "");
    }
  }

  private news({ observed, ui }: PageState): void {
    const last = observed.log.length ? observed.log[observed.log.length - 1].at : 0;
    if (this.observer !== ui.observer || last < this.announced) {
      this.observer = ui.observer;
      this.announced = last;
      return;
    }
    const lines = observed.log.filter((entry) => entry.at > this.announced).map((entry) => entry.news.text);
    this.announced = last;
    if (lines.length) this.polite.textContent = lines.slice(-12).join(". ");
  }

  private question({ question, settings, ui, observed, description }: PageState): void {
    const q = question && question.sent === null && !ui.curtain ? `${question.seat}:${question.q}` : "";
    if (q === this.q) return;
    this.q = q;
    clearInterval(this.timer);
    if (!question || !q) return;
    const { text } = questionText(question, observed.asked, description);
    const n = question.options.length;
    this.assertive.textContent = `${question.flow ? "Your turn" : "Your answer"}: ${text}. ${n} ${n === 1 ? "choice" : "choices"}`;
    if (settings.chime) this.chime();
    if (question.left === undefined) return;
    const ends = question.since + question.left;
    this.seconds = Infinity;
    this.timer = setInterval(() => this.count(ends), 200);
  }

  private count(ends: number): void {
    const left = Math.ceil((ends - performance.now()) / 1000);
    for (const mark of [10, 3]) if (left <= mark && this.seconds > mark) this.assertive.textContent = `${mark} seconds`;
    this.seconds = left;
    if (left <= 0) clearInterval(this.timer);
  }
}

// Plays a soft tone, the only sound of the page.
export function chime(): void {
  try {
    const audio = new AudioContext();
    const tone = audio.createOscillator(),
      volume = audio.createGain();
    tone.frequency.value = 660;
    volume.gain.setValueAtTime(0.12, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.5);
    tone.onended = () => void audio.close();
  } catch {
    // Browsers block sound before the first interaction.
  }
}
