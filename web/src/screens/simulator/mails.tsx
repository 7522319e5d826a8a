import { useQuery } from '@tanstack/react-query';
import { quita } from '../../api/quita.ts';
import { formatMoment } from '../../format.ts';
import { SIMULATOR } from '../../texts/simulator.ts';
import { PlainText } from '../../timeline/message-bubble.tsx';
import styles from './simulator.module.css';

/** The mails to the company itself, where no mail server takes them. */
export function Mails() {
  const mails = useQuery({
    queryKey: ['sandbox-mails'],
    queryFn: () => quita.listSandboxMails({ query: { limit: 20 } }),
  });
  const items = mails.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <details className={styles['mails']}>
      <summary>{SIMULATOR.mails}</summary>
      <p>{SIMULATOR.mailsText}</p>
      <ul>
        {items.map(({ id, to, text, at }) => (
          <li key={id}>
            <p>{SIMULATOR.mailTo(to, formatMoment(at))}</p>
            <PlainText text={text ?? SIMULATOR.mailHidden} />
          </li>
        ))}
      </ul>
    </details>
  );
}
