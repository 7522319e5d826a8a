import { useEffect, useRef, useSyncExternalStore } from 'react';

const KEY = 'quita-shortcuts';
const listeners = new Set<() => void>();

const areOn = (): boolean => {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
};

/** Shortcuts of a single key can be turned off, because speech input and slips of the hand press them (WCAG 2.1.4). */
export function setShortcuts(on: boolean): void {
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // Without storage the choice cannot be kept.
  }
  for (const listener of listeners) listener();
}

export const useShortcutsOn = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, areOn);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Calls the action of a key while no field has the focus and no dialog is open. */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  const on = useShortcutsOn();
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    if (!on) return;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      const action = current.current[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [on]);
}
