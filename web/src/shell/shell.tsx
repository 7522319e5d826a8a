import { type Query, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { failedOf } from '../api/problem.ts';
import { quita } from '../api/quita.ts';
import { may, type Right } from '../session/may.ts';
import { type SessionState, signOut } from '../session/session.ts';
import { useSession } from '../session/use-session.ts';
import { COMMON } from '../texts/common.ts';
import { ROLE_NAMES } from '../texts/roles.ts';
import { SHELL } from '../texts/shell-texts.ts';
import { chooseTheme, type Theme, useTheme } from '../theme.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { setShortcuts, useShortcutsOn } from '../use-shortcuts.ts';
import styles from './shell.module.css';
import { useDashboard, useSandboxOnly } from './use-dashboard.ts';

interface Place {
  readonly to: string;
  readonly icon: IconName;
  readonly label: string;
  /** What a member has to be allowed to do to find the place in the menu. */
  readonly right?: Right;
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
  { to: '/acordos', icon: 'agreement', label: SHELL.agreements },
  { to: '/recibos', icon: 'receipt', label: SHELL.receipts },
  { to: '/recebidos', icon: 'download', label: SHELL.received },
  { to: '/simulador', icon: 'simulator', label: SHELL.simulator },
  { to: '/regras', icon: 'rules', label: SHELL.rules, right: 'review' },
  { to: '/encargos', icon: 'money', label: SHELL.charges },
  { to: '/ofertas', icon: 'offer', label: SHELL.offers },
  { to: '/conta', icon: 'account', label: SHELL.account },
];

const isWithin = (location: string, to: string): boolean =>
  to === '/' ? location === '/' : location === to || location.startsWith(`${to}/`);

function Navigation({ waiting }: { readonly waiting: number }) {
  const [location] = useLocation();
  const id = useId();
  const later = LATER.filter(({ right }) => right === undefined || may(right));
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
        {later.map((place) => (
          <li key={place.to} className={styles['later']}>
            {link(place)}
          </li>
        ))}
        <li className={styles['rest']}>
          <button
            type="button"
            popoverTarget={id}
            className={classNames(styles['place'], later.some(({ to }) => isWithin(location, to)) && styles['here'])}
          >
            <Icon name="more" />
            <span>{SHELL.more}</span>
          </button>
          <ul ref={sheet} id={id} popover="auto" className={styles['sheet']}>
            {later.map((place) => (
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

/** How often a console without answers asks whether the service is back. */
const ASK_AGAIN_MS = 3_000;

/** A query that got no answer, or that waits for the network. */
function isUnanswered({ state: { error, fetchFailureReason, fetchStatus } }: Query): boolean {
  if (fetchStatus === 'paused') return true;
  const reason = fetchFailureReason ?? error;
  if (reason === null) return false;
  const { code } = failedOf(reason);
  return code === 'offline' || code === 'unavailable';
}

/**
 * Says that the service does not answer while the screen shows older data. Not every screen follows the changes, so the
 * bar itself asks until there is an answer, and then the queries that failed ask again.
 */
function OfflineBar() {
  const client = useQueryClient();
  const [offline, setOffline] = useState(false);
  useEffect(() => {
    const cache = client.getQueryCache();
    return cache.subscribe(({ type }) => {
      if (type !== 'updated' && type !== 'observerRemoved') return;
      const active = cache.findAll({ type: 'active' });
      if (active.some(isUnanswered)) setOffline(true);
      // A query that asks again has forgotten its failure, so only settled ones tell that all is well.
      else if (active.every(({ state }) => state.fetchStatus === 'idle')) setOffline(false);
    });
  }, [client]);
  useEffect(() => {
    if (!offline) return;
    const ask = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return;
      await quita.listSessions({ query: { limit: 1 } });
      await client.refetchQueries({ type: 'active', predicate: isUnanswered }, { cancelRefetch: false });
    };
    const timer = setInterval(() => void ask().catch(() => undefined), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [offline, client]);
  if (!offline) return null;
  return (
    <p className={styles['offline']} role="status">
      {SHELL.offline}
    </p>
  );
}

/** The frame of every screen behind the sign-in: navigation, the banner of a test, and who is signed in. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const sandboxOnly = useSandboxOnly();
  const waiting = useDashboard(sandboxOnly).data?.waiting ?? 0;
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#conteudo">
        {SHELL.skip}
      </a>
      {sandboxOnly === true && (
        <section className={styles['test']} aria-label={SHELL.testRegion}>
          <Icon name="test" size={16} />
          {SHELL.testBanner}
        </section>
      )}
      <header className={styles['top']}>
        <Link to="/" className={styles['name']}>
          {COMMON.product}
        </Link>
        {session.kind === 'in' && <AccountMenu client={session.client} member={session.member} />}
      </header>
      <Navigation waiting={waiting} />
      <main id="conteudo" className={styles['main']} tabIndex={-1}>
        {children}
      </main>
      <OfflineBar />
    </div>
  );
}

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

function AccountMenu({ client, member }: Pick<Extract<SessionState, { kind: 'in' }>, 'client' | 'member'>) {
  const [, navigate] = useLocation();
  const theme = useTheme();
  const shortcuts = useShortcutsOn();
  const mark = (on: boolean): string => (on ? '✓ ' : '');
  return (
    <Menu
      label={client.name}
      items={[
        { label: SHELL.signedInAs(member.name, ROLE_NAMES[member.role]), onSelect: () => navigate('/conta/acesso') },
        ...THEMES.map((one) => ({
          label: `${mark(one === theme)}${SHELL.theme}: ${SHELL.themes[one]}`,
          onSelect: () => chooseTheme(one),
        })),
        { label: `${mark(shortcuts)}${SHELL.shortcuts}`, onSelect: () => setShortcuts(!shortcuts) },
        { label: SHELL.signOut, onSelect: () => void signOut() },
      ]}
    />
  );
}
