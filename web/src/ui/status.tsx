import { COMMON } from '../texts/common.ts';
import { CAMPAIGN_STATUS, type CampaignStatus, DEBT_STATUS, type DebtStatus, type Tone } from '../texts/words.ts';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './status.module.css';

const ICON: Readonly<Record<Tone, IconName>> = {
  paid: 'check',
  contact: 'chat',
  waiting: 'hand',
  test: 'test',
  danger: 'danger',
  ended: 'stop',
};

/** A word with a colour and an icon. */
export function Badge({
  tone,
  label,
  icon,
}: {
  readonly tone: Tone;
  readonly label: string;
  readonly icon?: IconName;
}) {
  return (
    <span className={classNames(styles['badge'], styles[tone])}>
      <Icon name={icon ?? ICON[tone]} size={16} />
      {label}
    </span>
  );
}

export const DebtStatusBadge = ({ status }: { readonly status: DebtStatus }) => <Badge {...DEBT_STATUS[status]} />;
export const CampaignStatusBadge = ({ status }: { readonly status: CampaignStatus }) => (
  <Badge {...CAMPAIGN_STATUS[status]} />
);
/** Marks what is simulated, so that nobody takes it for real. */
export const TestBadge = () => <Badge tone="test" label={COMMON.test} />;
