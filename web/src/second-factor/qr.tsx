import { create } from 'qrcode';
import styles from './second-factor.module.css';

/** The standard requires a white border of four modules. */
const QUIET_ZONE = 4;

/** A QR code that this browser draws itself: its text is a secret. Dark on white in both themes, as cameras expect it. */
export function Qr({ text, label }: { readonly text: string; readonly label: string }) {
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
