import { useEffect, useRef } from 'react';
import { AgreementBadge, AgreementDetails } from '../../agreements/agreement.tsx';
import styles from '../../agreements/agreements.module.css';
import { Offers } from '../../agreements/offers.tsx';
import type { Agreement, GetDebtResult, ListOffersResult } from '../../api/client.ts';
import { AGREEMENTS } from '../../texts/agreements.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/page.tsx';

/** What the person may accept, or has accepted, about this debt. */
export function AgreementPanel({
  debt,
  offers,
  agreements = [],
}: {
  readonly debt: GetDebtResult;
  readonly offers: ListOffersResult | undefined;
  readonly agreements: readonly Agreement[] | undefined;
}) {
  const active = agreements.find(({ status }) => status === 'ACTIVE');
  const past = agreements.filter((one) => one !== active);
  const content = useRef<HTMLDivElement>(null);
  const shown = useRef(active?.id);
  // An acceptance or a cancellation takes away the button that had the focus.
  useEffect(() => {
    if (shown.current !== active?.id && document.activeElement === document.body) content.current?.focus();
    shown.current = active?.id;
  }, [active?.id]);
  if (active === undefined && offers === undefined && past.length === 0) return null;
  return (
    <Panel title={AGREEMENTS.section} actions={active && <AgreementBadge status={active.status} />}>
      <div ref={content} tabIndex={-1}>
        {active !== undefined ? (
          <AgreementDetails agreement={active}>
            <ButtonLink to={`/acordos/${active.id}`} icon="agreement">
              {AGREEMENTS.openAgreement}
            </ButtonLink>
          </AgreementDetails>
        ) : (
          offers !== undefined && <Offers debt={debt} offers={offers} />
        )}
      </div>
      {past.length > 0 && (
        <>
          <h3 className={styles['heading']}>{AGREEMENTS.past}</h3>
          {past.map((one) => (
            <details key={one.id} className={styles['past']}>
              <summary>
                <AgreementBadge status={one.status} />
                <span className={styles['protocol']}>{one.protocol}</span>
                <Icon name="down" size={16} />
              </summary>
              <AgreementDetails agreement={one} />
            </details>
          ))}
        </>
      )}
    </Panel>
  );
}
