// Announcements for screen readers: a polite live region for the log, and an assertive one for questions and the
// countdown at ten and three seconds.
import { question_words } from "./asking";
import type { Shown } from "./store";

export class Speech {
  private said = 0; // number of announced log lines
  private whose: number | null | undefined;
  private q = "";
  private seconds = Infinity;
  private notice = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly polite: HTMLElement,
    private readonly assertive: HTMLElement,
    private readonly chime: () => void,
  ) {}

  hear(shown: Shown): void {
    this.news(shown);
    this.question(shown);
    const { notice, answers } = shown.model;
    const at = Math.max(notice?.at ?? 0, answers?.at ?? 0);
    if (at > this.notice) {
      this.notice = at;
      this.assertive.textContent = answers && answers.at === at ? answers.answers.join(". ") : (notice?.text ?? "");
    }
  }

  private news({ sight, doing }: Shown): void {
    const last = sight.log.length ? sight.log[sight.log.length - 1].at : 0;
    if (this.whose !== doing.looking || last < this.said) {
      this.whose = doing.looking;
      this.said = last;
      return;
    }
    const lines = sight.log.filter((entry) => entry.at > this.said).map((entry) => entry.news.text);
    this.said = last;
    if (lines.length) this.polite.textContent = lines.slice(-12).join(". ");
  }

  private question({ question, settings, doing, sight, description }: Shown): void {
    const q = question && question.sent === null && !doing.curtain ? `${question.seat}:${question.q}` : "";
    if (q === this.q) return;
    this.q = q;
    clearInterval(this.timer);
    if (!question || !q) return;
    const { text } = question_words(question, sight.asked, description);
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

// A soft tone, the only sound of the page.
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
    // browsers block sound before the first interaction
  }
}
