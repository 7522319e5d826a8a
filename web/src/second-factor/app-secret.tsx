import { create } from 'qrcode';
import { SECOND_FACTOR as TEXT } from '../texts/second-factor.ts';
import { CopyButton } from '../ui/copy.tsx';
import styles from './second-factor.module.css';

/** The standard requires a white border of four modules. */
const QUIET_ZONE = 4;

/** A QR code that this browser draws itself: its text is a secret. Dark on white in both themes, as cameras expect it. */
function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const path = Array.from(data, (isDark, at) => (isDark ? `M${at % size} ${Math.floor(at / size)}h1v1h-1z` : '')).join(
    '',
  );
  const side = size + 2 * QUIET_ZONE;
  return (
    <svg
      className={styles['qr']}
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={side} height={side} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}

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
