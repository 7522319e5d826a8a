import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import styles from '../shell/shell.module.css';
import { COMMON } from '../texts/common.ts';
import { OPERATORS } from '../texts/operators.ts';
import { SHELL } from '../texts/shell-texts.ts';
import { chooseTheme, type Theme, useTheme } from '../theme.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { signOut } from './session.ts';

const PLACES: readonly { readonly to: string; readonly icon: IconName; readonly label: string }[] = [
  { to: '/', icon: 'account', label: OPERATORS.clients },
  { to: '/saude', icon: 'warning', label: OPERATORS.health },
];

const isWithin = (location: string, to: string): boolean =>
  location === to || (to === '/' && location.startsWith('/empresas/'));

/** The frame of every screen behind the sign-in. */
export function Shell({ email, children }: { readonly email: string; readonly children: ReactNode }) {
  const [location] = useLocation();
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#conteudo">
        {SHELL.skip}
      </a>
      <header className={styles['top']}>
        <Link to="/" className={styles['name']}>
          {`${COMMON.product} · ${OPERATORS.title}`}
        </Link>
        <OperatorMenu email={email} />
      </header>
      <nav className={styles['nav']} aria-label={SHELL.navigation}>
        <ul>
          {PLACES.map(({ to, icon, label }) => (
            <li key={to}>
              <Link
                to={to}
                className={classNames(styles['place'], isWithin(location, to) && styles['here'])}
                aria-current={isWithin(location, to) ? 'page' : undefined}
              >
                <Icon name={icon} />
                <span>{label}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main id="conteudo" className={styles['main']} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

function OperatorMenu({ email }: { readonly email: string }) {
  const theme = useTheme();
  return (
    <Menu
      label={email}
      items={[
        ...THEMES.map((one) => ({
          label: `${one === theme ? '✓ ' : ''}${SHELL.theme}: ${SHELL.themes[one]}`,
          onSelect: () => chooseTheme(one),
        })),
        { label: SHELL.signOut, onSelect: () => void signOut() },
      ]}
    />
  );
}
