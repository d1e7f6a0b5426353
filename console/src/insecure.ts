// Within a local network the service is often tried without https. Browsers then lack some of their functions.

/** `crypto.randomUUID` exists on https and on this machine only. */
export const newKey = (): string =>
  crypto.randomUUID?.() ??
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Puts a text into the clipboard, without https by way of a field that is selected. Throws where the browser refuses. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  // Nothing outside an open dialog can be selected.
  ([...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('the browser refused to copy');
}
