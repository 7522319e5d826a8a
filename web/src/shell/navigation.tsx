import { useId, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { SHELL } from '../texts/shell-texts.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import styles from './shell.module.css';

interface Place {
  readonly to: string;
  readonly icon: IconName;
  readonly label: string;
}

/** The places that a phone's bar has room for. */
const FIRST: readonly Place[] = [
  { to: '/', icon: 'home', label: SHELL.home },
  { to: '/campanhas', icon: 'campaign', label: SHELL.campaigns },
  { to: '/atendimento', icon: 'inbox', label: SHELL.inbox },
  { to: '/dividas', icon: 'debts', label: SHELL.debts },
];
/** On a phone they stand behind "Mais". */
const LATER: readonly Place[] = [
  { to: '/recibos', icon: 'receipt', label: SHELL.receipts },
  { to: '/simulador', icon: 'simulator', label: SHELL.simulator },
  { to: '/regras', icon: 'rules', label: SHELL.rules },
  { to: '/conta', icon: 'account', label: SHELL.account },
];

const isWithin = (location: string, to: string): boolean =>
  to === '/' ? location === '/' : location === to || location.startsWith(`${to}/`);

export function Navigation({ waiting }: { readonly waiting: number }) {
  const [location] = useLocation();
  const id = useId();
  const sheet = useRef<HTMLUListElement>(null);
  const link = (place: Place, onClick?: () => void) => (
    <PlaceLink
      place={place}
      here={isWithin(location, place.to)}
      waiting={place.to === '/atendimento' ? waiting : 0}
      {...(onClick && { onClick })}
    />
  );
  return (
    <nav className={styles['nav']} aria-label={SHELL.navigation}>
      <ul>
        {FIRST.map((place) => (
          <li key={place.to}>{link(place)}</li>
        ))}
        {LATER.map((place) => (
          <li key={place.to} className={styles['later']}>
            {link(place)}
          </li>
        ))}
        <li className={styles['rest']}>
          <button
            type="button"
            popoverTarget={id}
            className={classNames(styles['place'], LATER.some(({ to }) => isWithin(location, to)) && styles['here'])}
          >
            <Icon name="more" />
            <span>{SHELL.more}</span>
          </button>
          <ul ref={sheet} id={id} popover="auto" className={styles['sheet']}>
            {LATER.map((place) => (
              <li key={place.to}>{link(place, () => sheet.current?.hidePopover())}</li>
            ))}
          </ul>
        </li>
      </ul>
    </nav>
  );
}

function PlaceLink({
  place: { to, icon, label },
  here,
  waiting,
  onClick,
}: {
  readonly place: Place;
  readonly here: boolean;
  readonly waiting: number;
  readonly onClick?: () => void;
}) {
  return (
    <Link
      to={to}
      className={classNames(styles['place'], here && styles['here'])}
      aria-current={here ? 'page' : undefined}
      {...(onClick && { onClick })}
    >
      <Icon name={icon} />
      <span>{label}</span>
      {waiting > 0 && (
        <span className={styles['count']}>
          <span aria-hidden="true">{waiting > 99 ? '99+' : waiting}</span>
          <span className="visually-hidden">{SHELL.waiting(waiting)}</span>
        </span>
      )}
    </Link>
  );
}
