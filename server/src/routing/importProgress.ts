/** How far an import is, in words and in hundredths. */
export interface ImportProgress {
  stage: string;
  percent: number;
}

/** The builder says only what it begins, so the share of each stage is what a city took. */
const STAGES: [said: RegExp, progress: ImportProgress][] = [
  [/Parsing ways/, { stage: 'reading roads', percent: 5 }],
  [/Parsing relations/, { stage: 'reading turn restrictions', percent: 35 }],
  [/Parsing nodes/, { stage: 'reading places', percent: 40 }],
  [/Creating graph edges/, { stage: 'joining roads', percent: 46 }],
  [/Building \d+ tiles/, { stage: 'building tiles', percent: 50 }],
  [/Enhancing local graph/, { stage: 'refining tiles', percent: 60 }],
  [/HierarchyBuilder$/, { stage: 'sorting roads by rank', percent: 75 }],
  [/Creating shortcuts/, { stage: 'adding shortcuts', percent: 80 }],
  [/Adding complex turn restrictions/, { stage: 'adding turn restrictions', percent: 90 }],
  [/Validating, finishing/, { stage: 'finishing tiles', percent: 93 }],
];

/** What a line of the tile builder's log says about the progress, if anything. */
export const progressIn = (line: string): ImportProgress | undefined =>
  STAGES.find(([said]) => said.test(line))?.[1];

const BAR_WIDTH = 30;

export interface ProgressDisplay {
  show(progress: ImportProgress): void;
  /** However the import ended, what is written next begins on a line of its own. */
  end(): void;
}

/** A bar on a terminal, one line for each stage elsewhere. */
export function displayProgress(stream: { isTTY?: boolean; write(text: string): unknown }): ProgressDisplay {
  let lastStage: string | undefined;
  return {
    show({ stage, percent }) {
      const share = `${String(percent).padStart(3)} % ${stage}`;
      if (stream.isTTY) {
        const filled = Math.round((percent / 100) * BAR_WIDTH);
        stream.write(`\r\x1b[2K${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${share}`);
      } else if (stage !== lastStage) stream.write(`${share}\n`);
      lastStage = stage;
    },
    end() {
      if (stream.isTTY && lastStage !== undefined) stream.write('\n');
    },
  };
}
