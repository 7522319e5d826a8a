import styles from './icon.module.css';

/** Outlines on a grid of 24; drawn with the colour of the text. */
const PATHS = {
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  campaign: 'M4 10v4l10 4V6L4 10zm10-2a4 4 0 0 1 0 8M7 15v4h3v-3',
  inbox: 'M4 5h16v14H4zM4 13h5l1.5 2.5h3L15 13h5',
  debts: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  receipt: 'M6 3h9l4 4v14H6zM14 3v5h5M9 13l2 2 4-4',
  simulator: 'M7 3h10v18H7zM10 18h4',
  rules: 'M12 3v18M5 7h14M5 7l-3 7h6zM19 7l-3 7h6z',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  check: 'M5 12.5 10 17l9-10',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
  chat: 'M4 5h16v11H10l-5 4v-4H4z',
  hand: 'M12 3v9M8 6v7M16 6v7M4.5 12 7 17c1 2.5 3 4 6 4 4 0 6-2.5 6-6V9',
  stop: 'M7 7h10v10H7z',
  warning: 'M12 4 22 20H2zM12 10v4M12 17h.01',
  danger: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v6M12 16h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v6M12 7.5h.01',
  test: 'M9 3h6M10 3v6L5 19a1.5 1.5 0 0 0 1.4 2h11.2a1.5 1.5 0 0 0 1.4-2L14 9V3M8 15h8',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  close: 'M6 6l12 12M18 6 6 18',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  right: 'M9 6l6 6-6 6',
  left: 'M15 6l-6 6 6 6',
  plus: 'M12 5v14M5 12h14',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4v16l12-8z',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  upload: 'M12 20V8M7 12l5-5 5 5M5 4h14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  external: 'M14 4h6v6M20 4l-9 9M17 14v6H4V7h6',
  money: 'M3 6h18v12H3zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  note: 'M5 4h14v11l-5 5H5zM19 15h-5v5',
  snooze: 'M5 6h6l-6 7h6M14 11h5l-5 6h5',
  send: 'M4 12 20 4l-4 16-5-6zM20 4 11 14',
  agreement: 'M6 3h12v18H6zM9 8h6M9 12h6M9 17c1.5-2.5 2.5 1.5 4 0l2-1',
  offer: 'M19 5 5 19M7.5 10a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM16.5 19a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  key: 'M8 16a5 5 0 1 1 4.5-7H22v3h-2v3h-3v-3h-4.5A5 5 0 0 1 8 16z',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  refresh: 'M20 6v5h-5M4 18v-5h5M19 11a7 7 0 0 0-13-2M5 13a7 7 0 0 0 13 2',
} as const;

export type IconName = keyof typeof PATHS;

/** A decoration beside a word; the word carries the meaning for screen readers. */
export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: 16 | 20 | 24 | 40 }) {
  return (
    <svg
      className={styles['icon']}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
