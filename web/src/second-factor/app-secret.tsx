import { SECOND_FACTOR as TEXT } from '../texts/second-factor.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Qr } from './qr.tsx';
import styles from './second-factor.module.css';

const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

/** The secret of an app as a code to scan and as a text to type. */
export const AppSecret = ({ app }: { readonly app: { readonly secret: string; readonly uri: string } }) => (
  <>
    <p className={styles['lead']}>{TEXT.scanText}</p>
    <Qr text={app.uri} label={TEXT.qr} />
    <p>{TEXT.typeText}</p>
    <code className={styles['secret']}>{inGroups(app.secret)}</code>
    <div className={styles['after']}>
      <CopyButton text={app.secret} label={TEXT.copySecret} />
    </div>
  </>
);
