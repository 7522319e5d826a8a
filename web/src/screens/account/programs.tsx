import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { quita } from '../../api/quita.ts';
import { formatDate } from '../../format.ts';
import { ACCOUNT } from '../../texts/account.ts';
import { announce } from '../../ui/announce.tsx';
import { Button, ButtonAnchor } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ProblemSummary, useSubmit } from '../../ui/form.tsx';
import { Loaded, Panel } from '../../ui/page.tsx';
import styles from './account.module.css';
import { SecretDialog } from './secret-dialog.tsx';
import { Webhooks } from './webhooks.tsx';

/** The key of the company's programs, and the addresses that hear of changes. */
export default function Programs() {
  return (
    <>
      <ApiKey />
      <Webhooks />
    </>
  );
}

function ApiKey() {
  const queries = useQueryClient();
  const [asking, ask] = useState<'replace' | 'revoke' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const account = useQuery({ queryKey: ['account'], queryFn: () => quita.readAccount() });
  const refresh = () => queries.invalidateQueries({ queryKey: ['account'] });
  const create = useSubmit(async () => {
    const { apiKey } = await quita.createApiKey({}, { idempotencyKey: true });
    ask(null);
    setSecret(apiKey);
    await refresh();
  });
  const revoke = useSubmit(async () => {
    await quita.revokeApiKey();
    ask(null);
    announce(ACCOUNT.revoked);
    await refresh();
  });
  return (
    <Panel
      title={ACCOUNT.key}
      actions={
        <ButtonAnchor href="/docs" icon="external" small>
          {ACCOUNT.docs}
        </ButtonAnchor>
      }
    >
      <p className={styles['muted']}>{ACCOUNT.keyText}</p>
      <ProblemSummary failed={asking === null ? create.failed : null} />
      <Loaded query={account}>
        {({ apiKey }) =>
          apiKey === null ? (
            <>
              <p>{ACCOUNT.noKey}</p>
              <div className={styles['buttons']}>
                <Button
                  right="administer"
                  kind="primary"
                  icon="key"
                  busy={create.busy}
                  onClick={() => void create.run()}
                >
                  {ACCOUNT.createKey}
                </Button>
              </div>
            </>
          ) : (
            <>
              <p>
                {`${ACCOUNT.keySince(formatDate(apiKey.createdAt))}, ${
                  apiKey.lastUsedAt === null ? ACCOUNT.keyUnused : ACCOUNT.keyUsed(formatDate(apiKey.lastUsedAt))
                }.`}
              </p>
              <div className={styles['buttons']}>
                <Button right="administer" icon="refresh" onClick={() => ask('replace')}>
                  {ACCOUNT.replaceKey}
                </Button>
                <Button right="administer" kind="danger" icon="trash" onClick={() => ask('revoke')}>
                  {ACCOUNT.revokeKey}
                </Button>
              </div>
            </>
          )
        }
      </Loaded>
      {asking === 'replace' && (
        <ConfirmDialog
          title={ACCOUNT.replaceKey}
          action={ACCOUNT.replaceKey}
          danger
          busy={create.busy}
          failed={create.failed}
          onConfirm={() => void create.run()}
          onClose={() => ask(null)}
        >
          <p>{ACCOUNT.replaceKeyText}</p>
        </ConfirmDialog>
      )}
      {asking === 'revoke' && (
        <ConfirmDialog
          title={ACCOUNT.revokeKey}
          action={ACCOUNT.revokeKey}
          danger
          typed={ACCOUNT.revokeWord}
          busy={revoke.busy}
          failed={revoke.failed}
          onConfirm={() => void revoke.run()}
          onClose={() => ask(null)}
        >
          <p>{ACCOUNT.revokeKeyText}</p>
        </ConfirmDialog>
      )}
      {secret !== null && (
        <SecretDialog
          title={ACCOUNT.newKey}
          text={ACCOUNT.newKeyText}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Panel>
  );
}
