import { currentVersion } from './roads.ts';

const LOOK_EVERY_MS = 2000;

/**
 * Calls `onSwitch` after each import, from this process or any other, and again while that rejects. It looks at the
 * pointer every two seconds: a notification of the file system would be sooner, but none comes over network and
 * container mounts.
 */
export function watchRoads(
  folder: string,
  onSwitch: (version: string) => unknown,
  { everyMs = LOOK_EVERY_MS }: { everyMs?: number } = {},
): { close(): void } {
  let known: string | null | undefined;
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      const version = await currentVersion(folder);
      const isNew = known !== undefined && version !== null && version !== known;
      if (isNew) await onSwitch(version);
      known = version;
    } catch {
      // A folder that cannot be read for a moment holds no news; whatever it holds afterwards is some.
      known ??= null;
    } finally {
      isLooking = false;
    }
  };
  void look();
  const timer = setInterval(() => void look(), everyMs).unref();
  return { close: () => clearInterval(timer) };
}
