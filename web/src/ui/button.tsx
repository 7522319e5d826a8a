import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'wouter';
import { isHidden } from '../format.ts';
import { may, type Right } from '../session/may.ts';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

type Kind = 'default' | 'primary' | 'danger' | 'quiet';

interface Look {
  readonly kind?: Kind;
  readonly icon?: IconName;
  readonly small?: boolean;
  /** What a member has to be allowed to do. To others the button is not shown. */
  readonly right?: Right;
  readonly children?: ReactNode;
}

interface ButtonProps extends Look, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'children'> {
  /** While its action runs the button takes no second press and keeps the focus. */
  readonly busy?: boolean;
  /** Why it cannot be used now. It stays reachable, so that everybody can learn the reason. */
  readonly disabledBecause?: string | undefined;
}

const lookOf = ({ kind = 'default', small }: Look): string =>
  classNames(styles['button'], styles[kind], small && styles['small']);

export function Button({
  kind,
  icon,
  small,
  right,
  busy,
  disabledBecause,
  children,
  onClick,
  type,
  ...rest
}: ButtonProps) {
  if (right !== undefined && !may(right)) return null;
  const off = busy === true || disabledBecause !== undefined;
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={lookOf({ ...(kind && { kind }), ...(small && { small }) })}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      title={disabledBecause ?? rest.title}
      onClick={off ? (event) => event.preventDefault() : onClick}
    >
      {icon !== undefined && <Icon name={icon} size={small ? 16 : 20} />}
      {children}
      {disabledBecause !== undefined && <span className="visually-hidden">{`(${disabledBecause})`}</span>}
    </button>
  );
}

/** A link that looks like a button, because it leads to the next step. */
export function ButtonLink({ to, kind, icon, small, right, children }: Look & { readonly to: string }) {
  if (right !== undefined && !may(right)) return null;
  return (
    <Link to={to} className={lookOf({ ...(kind && { kind }), ...(small && { small }) })}>
      {icon !== undefined && <Icon name={icon} size={small ? 16 : 20} />}
      {children}
    </Link>
  );
}

/** A link out of the console, for example to a PDF. The address is hidden from an auditor, who gets no link. */
export function ButtonAnchor({
  href,
  label,
  kind,
  icon,
  small,
  children,
}: Look & {
  readonly href: string;
  /** Its name for screen readers, where several links have the same words. */
  readonly label?: string;
}) {
  if (isHidden(href)) return null;
  return (
    <a
      href={href}
      aria-label={label}
      className={lookOf({ ...(kind && { kind }), ...(small && { small }) })}
      target="_blank"
      rel="noreferrer"
    >
      {icon !== undefined && <Icon name={icon} size={small ? 16 : 20} />}
      {children}
    </a>
  );
}

/** A button that shows only an icon; its name is for screen readers and as a tooltip. */
export function IconButton({
  icon,
  label,
  onClick,
}: {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
}) {
  return (
    <button type="button" className={styles['iconOnly']} aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
