import { lazy, Suspense } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { Door } from '../screens/sign-in/door.tsx';
import { ErrorBoundary } from '../shell/error-boundary.tsx';
import { COMMON } from '../texts/common.ts';
import { OPERATORS } from '../texts/operators.ts';
import { SHELL } from '../texts/shell-texts.ts';
import { Announcer } from '../ui/announce.tsx';
import { Empty, PageHeader, Skeleton } from '../ui/page.tsx';
import { useSession } from './session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';

/** The first segment of every address of this page, which is another one than the console of a client. */
const BASE = '/operador';
const INVITATION = '/convite';

const Invitation = lazy(() => import('./invitation.tsx'));
const Clients = lazy(() => import('./clients.tsx'));
const Client = lazy(() => import('./client/index.tsx'));
const Health = lazy(() => import('./health/index.tsx'));

export const App = () => (
  <Router base={BASE}>
    <Screens />
    <Announcer />
  </Router>
);

function Screens() {
  const session = useSession();
  const [location] = useLocation();
  if (location === INVITATION) {
    return (
      <ErrorBoundary key={location}>
        <Suspense fallback={<Skeleton lines={6} />}>
          <Invitation />
        </Suspense>
      </ErrorBoundary>
    );
  }
  if (session.kind === 'unknown') return <Skeleton lines={3} />;
  if (session.kind === 'waiting') {
    return (
      <Door title={SHELL.noAnswer} lead={SHELL.noAnswerText}>
        {null}
      </Door>
    );
  }
  // The address stays, so that the sign-in leads where the operator wanted to go.
  if (session.kind === 'out') return <SignIn reason={session.reason} />;
  return (
    <Shell email={session.email}>
      <ErrorBoundary key={location}>
        <Suspense fallback={<Skeleton lines={6} />}>
          <Switch>
            <Route path="/" component={Clients} />
            <Route path="/empresas/:id" component={Client} />
            <Route path="/saude" component={Health} />
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}

const NotFound = () => (
  <>
    <PageHeader title={COMMON.notFound} />
    <Empty title={COMMON.notFound}>{OPERATORS.notFound}</Empty>
  </>
);
