import { type ComponentType, lazy, Suspense } from 'react';
import { useLocation, useParams } from 'wouter';
import { may, type Right } from '../../session/may.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { Chips } from '../../ui/chips.tsx';
import { PageHeader, Skeleton } from '../../ui/page.tsx';
import styles from './account.module.css';
import { Company } from './company.tsx';

const TABS = [
  { key: 'empresa', label: ACCOUNT.company },
  { key: 'equipe', label: ACCOUNT.team },
  { key: 'acesso', label: ACCOUNT.access },
  { key: 'canais', label: ACCOUNT.channels },
  { key: 'respostas', label: ACCOUNT.savedAnswers },
  { key: 'integracoes', label: ACCOUNT.programs },
  { key: 'dados', label: ACCOUNT.privacy },
  { key: 'registro', label: ACCOUNT.audit },
] as const;

type Tab = (typeof TABS)[number]['key'];

const PARTS: Readonly<Record<Tab, ComponentType>> = {
  empresa: Company,
  equipe: lazy(() => import('./team.tsx')),
  acesso: lazy(() => import('./access.tsx')),
  canais: lazy(() => import('./channels.tsx')),
  respostas: lazy(() => import('./saved-answers.tsx')),
  integracoes: lazy(() => import('./programs.tsx')),
  dados: lazy(() => import('./privacy.tsx')),
  registro: lazy(() => import('./audit.tsx')),
};

const isTab = (text: string | undefined): text is Tab => TABS.some(({ key }) => key === text);

/** What a member has to be allowed to do to open a part. The others are open to everybody. */
const RIGHTS: Readonly<Partial<Record<Tab, Right>>> = {
  respostas: 'work',
  integracoes: 'manage',
  dados: 'administer',
  registro: 'review',
};

export default function Account() {
  const { tab } = useParams();
  const [, navigate] = useLocation();
  const open = TABS.filter(({ key }) => may(RIGHTS[key] ?? 'own'));
  const chosen = isTab(tab) && open.some(({ key }) => key === tab) ? tab : 'empresa';
  const Part = PARTS[chosen];
  return (
    <>
      <PageHeader title={ACCOUNT.title} />
      <div className={styles['tabs']}>
        <Chips label={ACCOUNT.tabs} options={open} chosen={chosen} onChoose={(key) => navigate(`/conta/${key}`)} />
      </div>
      <Suspense fallback={<Skeleton lines={8} />}>
        <Part />
      </Suspense>
    </>
  );
}
