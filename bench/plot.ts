/** A line of a plot. Its numbers belong to the sizes, in order. */
export interface Line {
  name: string;
  values: readonly number[];
}

export interface Plot {
  title: string;
  /** What was measured, where and when. Each note is one line. */
  notes: readonly string[];
  sizeLabel: string;
  valueLabel: string;
  sizes: readonly number[];
  lines: readonly Line[];
}

const WIDTH = 1_000;
const TOP = 56;
const LEFT = 72;
const RIGHT = 300;
const PLOT_HEIGHT = 400;
const LABEL_HEIGHT = 17;
const NOTE_HEIGHT = 18;

/**
 * Readable on white and on black. Each line also has its own dash pattern, for people who do not distinguish the
 * colours.
 */
const COLOURS = ['#3b82f6', '#d97706', '#0d9488', '#db2777', '#7c3aed', '#65a30d', '#dc2626', '#0891b2'];
const DASHES = ['', '7 3', '2 3', '10 3 2 3'];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const shown = (value: number): string => (value >= 1 ? value.toLocaleString('en') : String(value));

/** Draws a plot with logarithmic axes as SVG. A flat line costs the same at every size, a steep one grows. */
export function drawPlot({ title, notes, sizeLabel, valueLabel, sizes, lines }: Plot): string {
  const values = lines.flatMap(({ values: all }) => all).filter((value) => value > 0);
  const bottomPower = Math.floor(Math.log10(Math.min(...values)));
  const topPower = Math.ceil(Math.log10(Math.max(...values)));
  const plotWidth = WIDTH - LEFT - RIGHT;
  const [first, last] = [Math.log10(sizes[0]!), Math.log10(sizes.at(-1)!)];
  const x = (size: number): number => LEFT + ((Math.log10(size) - first) / (last - first || 1)) * plotWidth;
  const y = (value: number): number =>
    TOP + ((topPower - Math.log10(value)) / (topPower - bottomPower || 1)) * PLOT_HEIGHT;
  const floor = TOP + PLOT_HEIGHT;
  const powers = Array.from({ length: topPower - bottomPower + 1 }, (_, index) => bottomPower + index);

  const grid = [
    ...powers.map((power) => {
      const at = y(10 ** power).toFixed(1);
      return `<path class="grid" d="M${LEFT} ${at}H${LEFT + plotWidth}"/><text x="${LEFT - 8}" y="${at}" dy="4" text-anchor="end">${shown(10 ** power)}</text>`;
    }),
    ...sizes.map((size) => {
      const at = x(size).toFixed(1);
      return `<path class="grid" d="M${at} ${TOP}V${floor}"/><text x="${at}" y="${floor + 20}" text-anchor="middle">${shown(size)}</text>`;
    }),
  ];
  const labels = spread(lines.map(({ values: all }) => y(all.at(-1)!)));
  const drawn = lines.map(({ name, values: all }, index) => {
    const colour = COLOURS[index % COLOURS.length]!;
    const dash = DASHES[Math.floor(index / COLOURS.length) % DASHES.length]!;
    const points = all.map((value, at) => `${x(sizes[at]!).toFixed(1)},${y(value).toFixed(1)}`);
    const end = all.at(-1)!;
    const right = LEFT + plotWidth;
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`,
      ...points.map((point) => {
        const [cx, cy] = point.split(',');
        return `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`;
      }),
      `<path d="M${right + 4} ${y(end).toFixed(1)}L${right + 14} ${labels[index]!.toFixed(1)}" stroke="${colour}" fill="none"/>`,
      `<text x="${right + 18}" y="${labels[index]!.toFixed(1)}" dy="4">${escaped(name)}: ${shown(Number(end.toPrecision(2)))}</text>`,
    ].join('');
  });
  const height = floor + 56 + NOTE_HEIGHT * notes.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>
  svg { background: #fff; font: 12px system-ui, sans-serif; }
  text { fill: #1f2937; }
  .title { font-size: 16px; font-weight: 600; }
  .note { fill: #4b5563; }
  .grid { stroke: #d1d5db; stroke-width: 1; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0f172a; }
    text { fill: #e5e7eb; }
    .note { fill: #9ca3af; }
    .grid { stroke: #334155; }
  }
</style>
<text class="title" x="${LEFT}" y="24">${escaped(title)}</text>
<text class="note" x="${LEFT}" y="44">${escaped(valueLabel)}</text>
${[...grid, ...drawn].join('\n')}
<text x="${LEFT + plotWidth / 2}" y="${floor + 40}" text-anchor="middle">${escaped(sizeLabel)}</text>
${notes.map((note, index) => `<text class="note" x="${LEFT}" y="${floor + 62 + NOTE_HEIGHT * index}">${escaped(note)}</text>`).join('\n')}
</svg>
`;
}

/** Heights of labels near their lines, spread so that they do not overlap. */
function spread(heights: readonly number[]): number[] {
  const order = heights.map((height, index) => ({ height, index })).sort((a, b) => a.height - b.height);
  const placed: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (const { height, index } of order) {
    placed[index] = Math.max(height, least);
    least = placed[index] + LABEL_HEIGHT;
  }
  // Moves the whole column up if its end would leave the plot.
  const over = Math.max(0, Math.max(...placed) - (TOP + PLOT_HEIGHT));
  return placed.map((height) => Math.max(TOP, height - over));
}
