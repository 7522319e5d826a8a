import { type ReactNode, useId, useRef } from 'react';
import { may, type Right } from '../session/may.ts';
import { COMMON } from '../texts/common.ts';
import { Icon } from './icon.tsx';
import styles from './menu.module.css';

export interface MenuItem {
  readonly label: string;
  readonly onSelect: () => void;
  readonly danger?: boolean;
  /** What a member has to be allowed to do. To others the action is not offered. */
  readonly right?: Right;
}

/** A list of actions in a native popover: Escape and a click elsewhere close it. */
export function Menu({
  items: all,
  label = COMMON.more,
}: {
  readonly items: readonly MenuItem[];
  readonly label?: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  /** The list opens below its button, inside the window. */
  const place = (): void => {
    const { bottom, right } = button.current!.getBoundingClientRect();
    const { style } = list.current!;
    style.top = `${bottom + 4}px`;
    style.right = `${Math.max(8, document.documentElement.clientWidth - right)}px`;
  };
  const items = all.filter(({ right }) => right === undefined || may(right));
  if (items.length === 0) return null;
  return (
    <>
      <button ref={button} type="button" className={styles['button']} popoverTarget={id} onClick={place}>
        <span className={styles['label']}>{label}</span>
        <Icon name="down" size={16} />
      </button>
      <div ref={list} id={id} popover="auto" className={styles['list']}>
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            className={item.danger ? styles['danger'] : undefined}
            onClick={() => {
              list.current?.hidePopover();
              item.onSelect();
            }}
          >
            {item.label}
          </button>
        ))}
      </div>
    </>
  );
}
