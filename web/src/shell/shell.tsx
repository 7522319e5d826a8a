import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { signOut } from '../session/session.ts';
import { useSession } from '../session/use-session.ts';
import { COMMON } from '../texts/common.ts';
import { SHELL } from '../texts/shell-texts.ts';
import { chooseTheme, type Theme, useTheme } from '../theme.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { setShortcuts, useShortcutsOn } from '../use-shortcuts.ts';
import { Navigation } from './navigation.tsx';
import { OfflineBar } from './offline-bar.tsx';
import styles from './shell.module.css';
import { useDashboard, useSandboxOnly } from './use-dashboard.ts';

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
        <AccountMenu name={session.kind === 'in' ? session.client.name : ''} />
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

function AccountMenu({ name }: { readonly name: string }) {
  const theme = useTheme();
  const shortcuts = useShortcutsOn();
  const mark = (on: boolean): string => (on ? '✓ ' : '');
  return (
    <Menu
      label={name}
      items={[
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
