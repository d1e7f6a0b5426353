import type { Source } from './source.ts';
import { Unknown } from './values.ts';

const RUNS_MAX = 400;

/** Repeats a run for the possibilities of what is unknown in it. */
export class Choices {
  readonly #source: Source;
  #made: { made: number; of: number }[] = [];
  #at = 0;
  #settled: Unknown[] = [];
  /** What comes afterwards in this run makes no variants. */
  isOver = false;

  constructor(source: Source) {
    this.#source = source;
  }

  /** How many choices this run has made. */
  get count(): number {
    return this.#at;
  }

  /** Not all combinations are tried: at most so many choices of a run differ from the first possibility. */
  forEach(differingMax: number, run: () => void): void {
    this.#made = [];
    for (let runs = 0; runs < RUNS_MAX; runs += 1) {
      this.#at = 0;
      this.isOver = false;
      run();
      for (const unknown of this.#settled.splice(0)) unknown.chosen = undefined;
      this.#made.length = this.#at;
      while (this.#made.length > 0 && !this.#canAdvance(differingMax)) this.#made.pop();
      if (this.#made.length === 0) return;
      this.#made.at(-1)!.made += 1;
    }
    throw new Error(`more than ${RUNS_MAX} variants`);
  }

  #canAdvance(differingMax: number): boolean {
    const { made, of } = this.#made.at(-1)!;
    const differing = this.#made.slice(0, -1).filter((each) => each.made > 0).length;
    return made + 1 < of && differing < differingMax;
  }

  choose<Option>(options: readonly Option[]): Option {
    if (this.isOver) return options[0]!;
    if (this.#at === this.#made.length) this.#made.push({ made: 0, of: options.length });
    const { made } = this.#made[this.#at]!;
    this.#at += 1;
    return options[made]!;
  }

  /** The known value, chosen among the literals of its type if it is unknown. */
  settle(value: unknown): unknown {
    if (!(value instanceof Unknown)) return value;
    if (!value.chosen) {
      const literals = this.#source.literalsOf(value.node);
      if (literals.length === 0) return value;
      this.#fix(value, this.choose(literals));
    }
    return value.chosen!.value;
  }

  /** Whether the condition holds; an unknown one is true in one run and false in another. */
  decide(value: unknown, wanted?: boolean): boolean {
    if (!(value instanceof Unknown)) return wanted ?? Boolean(value);
    if (!value.chosen) this.#fix(value, wanted ?? this.choose([true, false]));
    return Boolean(value.chosen!.value);
  }

  #fix(unknown: Unknown, value: unknown): void {
    unknown.chosen = { value };
    this.#settled.push(unknown);
  }
}
