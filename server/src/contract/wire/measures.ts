/** HH:MM:SS as in `duracao_corrida`; the hours go on past a day. */
export function formatDuration(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** Kilometres with two decimals as in `distancia_percorrida_km`: rounded half up from whole metres. */
export function formatKm(metres: number): string {
  const hundredths = Math.floor((metres + 5) / 10);
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}

/** Degrees as a plain decimal, always with a point, also next to the equator or Greenwich, where numbers write themselves as 1e-7. */
export function formatDegrees(degrees: number): string {
  const text = /e/.test(String(degrees)) ? degrees.toFixed(15).replace(/\.?0+$/, '') : String(degrees);
  return text.includes('.') ? text : `${text}.0`;
}
