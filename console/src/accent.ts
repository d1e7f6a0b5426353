/** The central chooses its colour; what is written on it stays readable. */
export function applyAccent(color: string): void {
  const { style } = document.documentElement;
  style.setProperty('--accent', color);
  style.setProperty('--accent-text', luminance(color) > 0.18 ? '#000000' : '#ffffff');
}

/** As WCAG defines it, 0 to 1; above 0.18 black has more contrast than white. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
