import { useSyncExternalStore } from 'react';
import { type AlertItem, takeNew } from './knownAlerts.ts';

/** How this browser alerts its user. */
export interface AlertSettings {
  sound: boolean;
  notification: boolean;
}

const SETTINGS = 'malote.avisos';
const OFF: AlertSettings = { sound: false, notification: false };
const LISTED_MAX = 3;

const readers = new Set<() => void>();
const notifyAll = () => {
  for (const notify of readers) notify();
};
let current = readSettings();
// The settings were changed in another tab.
window.addEventListener('storage', ({ key }) => {
  if (key !== SETTINGS) return;
  current = readSettings();
  notifyAll();
});

function readSettings(): AlertSettings {
  try {
    return { ...OFF, ...(JSON.parse(localStorage.getItem(SETTINGS) ?? '{}') as Partial<AlertSettings>) };
  } catch {
    return OFF;
  }
}

export const useAlertSettings = (): AlertSettings =>
  useSyncExternalStore(
    (notify) => {
      readers.add(notify);
      return () => readers.delete(notify);
    },
    () => current,
  );

export function saveAlertSettings(settings: AlertSettings): void {
  current = settings;
  localStorage.setItem(SETTINGS, JSON.stringify(settings));
  notifyAll();
}

/** Browsers have notifications only over https and on localhost. */
export const canNotify = (): boolean => 'Notification' in window;

/**
 * Alerts the user to new items. Known items are stored in the browser for all its tabs, so neither a reload nor a
 * second tab alerts again. At the very first call, nothing is new. `whose` names the central and the login.
 */
export async function announce(items: readonly AlertItem[], whose: string, title: string): Promise<void> {
  // Without storage, alerting again is better than not alerting.
  const fresh = await takeNew(items, whose).catch(() => items);
  if (fresh.length === 0) return;
  if (current.sound) playSound();
  if (!current.notification || !canNotify() || Notification.permission !== 'granted') return;
  const lines = fresh.slice(0, LISTED_MAX).map(({ text }) => text);
  if (fresh.length > LISTED_MAX) lines.push(`+ ${fresh.length - LISTED_MAX}`);
  const notification = new Notification(title, { body: lines.join('\n'), tag: 'malote' });
  notification.onclick = () => {
    window.focus();
    notification.close();
  };
}

let audio: AudioContext | undefined;

/** Plays two short tones. Browsers stay silent until the user has clicked in the page. */
export function playSound(): void {
  audio ??= new AudioContext();
  void audio.resume();
  for (const [index, frequency] of [660, 880].entries()) {
    const start = audio.currentTime + index * 0.18;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.2, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.16);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.17);
  }
}
