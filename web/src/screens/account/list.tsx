import styles from './account.module.css';

/** Sentences, one below the other. */
export const List = ({ items }: { readonly items: readonly string[] }) => (
  <ul className={styles['list']}>
    {items.map((item) => (
      <li key={item}>{item}</li>
    ))}
  </ul>
);
