import type { GetDebtResult } from '../../api/client.ts';
import { DEBT } from '../../texts/debt.ts';
import { Panel } from '../../ui/page.tsx';
import styles from './debt.module.css';

const MAX_SCORE = 100;

/** The score as a sum that anybody can add up. */
export function Score({ debt: { score, scoreReasons } }: { readonly debt: GetDebtResult }) {
  if (score === null) {
    return (
      <Panel title={DEBT.scoreTitle}>
        <p>{DEBT.noScore}</p>
      </Panel>
    );
  }
  const reasons = scoreReasons ?? [];
  const sum = reasons.reduce((total, { points }) => total + points, 0);
  return (
    <Panel title={DEBT.score(score)}>
      <p className={styles['muted']}>{reasons.length === 0 ? DEBT.scoreNoReasons : DEBT.scoreText}</p>
      <ul className={styles['score']}>
        {reasons.map(({ code, points, text }) => (
          <li key={code}>
            <strong>{code === 'base' ? points : DEBT.points(points)}</strong>
            <span>{text}</span>
          </li>
        ))}
      </ul>
      {reasons.length > 0 && sum !== score && <p>{DEBT.scoreCut(sum, score === MAX_SCORE ? MAX_SCORE : 0)}</p>}
    </Panel>
  );
}
