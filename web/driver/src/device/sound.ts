let context: AudioContext | undefined;

/** Browsers play no sound before the first touch. */
export function allowSound(): void {
  const allow = (): void => {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume().catch(() => undefined);
  };
  addEventListener('pointerdown', allow, { passive: true });
}

type Tune = readonly (readonly [hertz: number, startSeconds: number, seconds: number])[];

const tunes = {
  /** Rising notes. */
  offer: [
    [660, 0, 0.16],
    [880, 0.18, 0.16],
    [1175, 0.36, 0.3],
  ],
  /** Falling notes. */
  change: [
    [784, 0, 0.18],
    [587, 0.22, 0.34],
  ],
} satisfies Record<string, Tune>;

const shakes = { offer: [300, 120, 300, 120, 500], change: [200, 100, 200] };

/** Plays a sound and vibrates, because a sound alone is missed under a helmet or beside an engine. */
export function play(name: keyof typeof tunes): void {
  navigator.vibrate?.(shakes[name]);
  if (context?.state !== 'running') return;
  const { currentTime, destination } = context;
  for (const [hertz, start, seconds] of tunes[name]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.type = 'triangle';
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.0001, currentTime + start);
    volume.gain.exponentialRampToValueAtTime(0.8, currentTime + start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, currentTime + start + seconds);
    tone.connect(volume).connect(destination);
    tone.start(currentTime + start);
    tone.stop(currentTime + start + seconds);
  }
}
