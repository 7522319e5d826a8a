import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import NotFound, { NotAllowed } from './screens/not-found.tsx';
import { Door } from './screens/sign-in/door.tsx';
import SignIn from './screens/sign-in/index.tsx';
import { may, type Right } from './session/may.ts';
import type { SessionState } from './session/session.ts';
import { useSession } from './session/use-session.ts';
import { useStepUp } from './session/use-step-up.ts';
import { ErrorBoundary } from './shell/error-boundary.tsx';
import { Shell } from './shell/shell.tsx';
import { useConsole } from './shell/use-console.ts';
import { ROLE_NAMES } from './texts/roles.ts';
import { SHELL } from './texts/shell-texts.ts';
import { Announcer, announce } from './ui/announce.tsx';
import { Skeleton } from './ui/page.tsx';

type Screen = ComponentType;

/** Each screen is a file of its own, which is loaded when it is first shown. */
const OPEN: readonly (readonly [path: string, screen: Screen])[] = [
  ['/entrar', SignIn],
  ['/criar-conta', lazy(() => import('./screens/sign-up/index.tsx'))],
  ['/esqueci', lazy(() => import('./screens/forgot/index.tsx'))],
];

const SIGNED_IN: readonly (readonly [path: string, screen: Screen, right?: Right])[] = [
  ['/', lazy(() => import('./screens/home/index.tsx'))],
  ['/campanhas', lazy(() => import('./screens/campaigns/index.tsx'))],
  ['/campanhas/:id', lazy(() => import('./screens/campaign/index.tsx'))],
  ['/campanhas/:id/importar', lazy(() => import('./screens/import/index.tsx')), 'manage'],
  ['/campanhas/:id/ensaio', lazy(() => import('./screens/rehearsal/index.tsx')), 'manage'],
  ['/atendimento/:id?', lazy(() => import('./screens/inbox/index.tsx'))],
  ['/dividas', lazy(() => import('./screens/debts/index.tsx'))],
  ['/dividas/:id', lazy(() => import('./screens/debt/index.tsx'))],
  ['/acordos', lazy(() => import('./screens/agreements/index.tsx'))],
  ['/acordos/:id', lazy(() => import('./screens/agreements/one.tsx'))],
  ['/recibos', lazy(() => import('./screens/receipts/index.tsx'))],
  ['/recebidos', lazy(() => import('./screens/received/index.tsx'))],
  ['/simulador/:id?', lazy(() => import('./screens/simulator/index.tsx'))],
  ['/regras', lazy(() => import('./screens/rules/index.tsx')), 'review'],
  ['/encargos', lazy(() => import('./screens/charges/index.tsx'))],
  ['/ofertas', lazy(() => import('./screens/offers/index.tsx'))],
  ['/conta/:tab?', lazy(() => import('./screens/account/index.tsx'))],
];

const OPEN_PATHS = OPEN.map(([path]) => path);

/** The screens whose last part may be absent: a list beside the item that is open, or the tabs of one screen. */
const WITH_PART = SIGNED_IN.map(([path]) => path)
  .filter((path) => path.endsWith('?'))
  .map((path) => path.slice(0, path.lastIndexOf('/')));

/** A screen keeps its state while only its optional part changes, and begins anew at every other address. */
const screenOf = (location: string): string =>
  WITH_PART.find((path) => location === path || location.startsWith(`${path}/`)) ?? location;

/** Shown over any screen when the server asks for the code of the second factor again. */
const StepUpDialog = lazy<ComponentType<{ readonly settle: (proved: boolean) => void }>>(() =>
  import('./second-factor/step-up-dialog.tsx').catch(() => ({ default: StepUpFailed })),
);
const FactorMissing = lazy(() => import('./second-factor/factor-missing.tsx'));

/** The dialog could not be loaded, so what asked for it gets its refusal. */
function StepUpFailed({ settle }: { readonly settle: (proved: boolean) => void }): ReactNode {
  useEffect(() => settle(false), [settle]);
  return null;
}

/** Where the person wanted to go before the sign-in; it stays in the history's entry, not in the address. */
const wantedPath = (): string => {
  const wanted = (history.state as { wanted?: unknown } | null)?.wanted;
  return typeof wanted === 'string' && wanted.startsWith('/') && !wanted.startsWith('//') ? wanted : '/';
};

/** Says that the own role has changed, because the screens begin anew and what was being done has been refused. */
function useRoleNews(session: SessionState): void {
  const member = session.kind === 'in' ? session.member : undefined;
  const before = useRef(member);
  useEffect(() => {
    if (member !== undefined && before.current?.id === member.id && before.current.role !== member.role) {
      announce(SHELL.roleChanged(ROLE_NAMES[member.role]));
    }
    before.current = member;
  }, [member]);
}

export function App() {
  const session = useSession();
  useRoleNews(session);
  const stepUp = useStepUp();
  const facts = useConsole();
  const [location] = useLocation();
  // Both are asked for at once. The banner of a test belongs to the first picture: later it would push the page down.
  const isKnown = facts.data !== undefined || facts.failureCount > 0;
  if (session.kind === 'waiting') {
    return (
      <Door title={SHELL.noAnswer} lead={SHELL.noAnswerText}>
        {null}
      </Door>
    );
  }
  if (session.kind === 'unknown' || !isKnown) return <Skeleton lines={3} />;
  return (
    <>
      <Suspense fallback={<Skeleton lines={6} />}>
        {session.kind === 'in' ? (
          OPEN_PATHS.includes(location) ? (
            <Redirect to={wantedPath()} replace />
          ) : session.lacksFactor === true ? (
            <ErrorBoundary key="factor">
              <FactorMissing />
            </ErrorBoundary>
          ) : (
            // Another member, or another role, begins with screens of its own.
            <SignedIn key={`${session.member.id} ${session.member.role}`} location={location} />
          )
        ) : (
          <ErrorBoundary key={location}>
            <SignedOut location={location} first={facts.data?.hasAccounts === false ? '/criar-conta' : '/entrar'} />
          </ErrorBoundary>
        )}
      </Suspense>
      {stepUp !== undefined && (
        <Suspense fallback={null}>
          <StepUpDialog key={stepUp.id} settle={stepUp.settle} />
        </Suspense>
      )}
      <Announcer />
    </>
  );
}

/** Who comes without a session signs in; on a service without any account the first account is made. */
function SignedOut({ location, first }: { readonly location: string; readonly first: string }) {
  return (
    <Switch>
      {OPEN.map(([path, Screen]) => (
        <Route key={path} path={path} component={Screen} />
      ))}
      <Route>
        <Redirect to={first} replace state={{ wanted: location }} />
      </Route>
    </Switch>
  );
}

const SignedIn = ({ location }: { readonly location: string }) => (
  <Shell>
    <ErrorBoundary key={screenOf(location)}>
      <Suspense fallback={<Skeleton lines={6} />}>
        <Switch>
          {SIGNED_IN.map(([path, Screen, right]) => (
            <Route key={path} path={path} component={right === undefined || may(right) ? Screen : NotAllowed} />
          ))}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  </Shell>
);
