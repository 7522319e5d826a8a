import { Link } from 'wouter';
import styles from './back-link.module.css';
import { Icon } from './icon.tsx';

/** Leads from a screen to what it belongs to; it stands above the title. */
export const BackLink = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <Link to={to} className={styles['back']}>
    <Icon name="left" size={16} />
    {children}
  </Link>
);
