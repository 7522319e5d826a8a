/** The facts about a debt that order a campaign. The person's origin, place, sex and age are not among them. */
export interface ScoreInput {
  readonly debtId: string;
  readonly amountCentavos: number;
  /** Whole days since the due date; negative when not yet due. */
  readonly daysOverdue: number;
  /** This person's other debts with this client only. */
  readonly paidBefore: number;
  readonly unpaidBefore: number;
  readonly brokenPromises: number;
  readonly hasMobile: boolean;
  readonly hasEmail: boolean;
  /** Null when nothing was sent to this number yet. */
  readonly lastDelivery: 'read' | 'delivered' | 'failed' | null;
  readonly hasAnswered: boolean;
}

export interface ScoreReason {
  readonly code: string;
  readonly points: number;
  /** For the client's staff and for the debtor who asks (LGPD art. 20). */
  readonly text: string;
}

export interface ScoredDebt {
  readonly debtId: string;
  /** 0 (least likely to be paid) to 100. */
  readonly score: number;
  readonly reasons: readonly ScoreReason[];
  readonly modelVersion: string;
}

export const SCORE_MODEL_VERSION = 'pontos-1';
const BASE = 50;

interface Band {
  readonly upTo: number;
  readonly points: number;
  readonly text: string;
}

const AGE: readonly Band[] = [
  { upTo: 0, points: 15, text: 'Ainda não venceu' },
  { upTo: 30, points: 20, text: 'Vencida há até 30 dias' },
  { upTo: 90, points: 10, text: 'Vencida há até 90 dias' },
  { upTo: 180, points: 0, text: 'Vencida há até 180 dias' },
  { upTo: 365, points: -10, text: 'Vencida há até um ano' },
  { upTo: 1095, points: -20, text: 'Vencida há mais de um ano' },
  { upTo: Number.POSITIVE_INFINITY, points: -30, text: 'Vencida há mais de três anos' },
];

const AMOUNT: readonly Band[] = [
  { upTo: 10_000, points: 10, text: 'Valor de até R$ 100,00' },
  { upTo: 50_000, points: 5, text: 'Valor de até R$ 500,00' },
  { upTo: 200_000, points: 0, text: 'Valor de até R$ 2.000,00' },
  { upTo: 1_000_000, points: -8, text: 'Valor de até R$ 10.000,00' },
  { upTo: Number.POSITIVE_INFINITY, points: -15, text: 'Valor acima de R$ 10.000,00' },
];

const bandOf = (bands: readonly Band[], value: number): Band =>
  bands.find((band) => value <= band.upTo) ?? bands[bands.length - 1]!;

const historyReasons = (debt: ScoreInput): ScoreReason[] => {
  const reasons: ScoreReason[] = [];
  if (debt.paidBefore > 0) {
    reasons.push({
      code: 'paid_before',
      points: Math.min(20, 10 * debt.paidBefore),
      text: 'Já quitou dívidas com a empresa',
    });
  }
  if (debt.unpaidBefore > 0) {
    reasons.push({
      code: 'unpaid_before',
      points: -Math.min(15, 5 * debt.unpaidBefore),
      text: 'Tem outras dívidas em aberto com a empresa',
    });
  }
  if (debt.brokenPromises > 0) {
    reasons.push({
      code: 'broken_promises',
      points: -Math.min(15, 5 * debt.brokenPromises),
      text: 'Datas combinadas que passaram sem pagamento',
    });
  }
  return reasons;
};

const contactReasons = (debt: ScoreInput): ScoreReason[] => {
  const reasons: ScoreReason[] = [];
  if (!debt.hasMobile) reasons.push({ code: 'no_mobile', points: -20, text: 'Sem telefone celular' });
  if (debt.hasEmail) reasons.push({ code: 'has_email', points: 3, text: 'Tem e-mail cadastrado' });
  if (debt.lastDelivery === 'failed')
    reasons.push({ code: 'delivery_failed', points: -25, text: 'A última mensagem não foi entregue' });
  if (debt.lastDelivery === 'read') reasons.push({ code: 'message_read', points: 5, text: 'Leu a última mensagem' });
  if (debt.hasAnswered) reasons.push({ code: 'has_answered', points: 10, text: 'Já respondeu a mensagens da empresa' });
  return reasons;
};

/** The score is a sum of points, limited to 0..100, so that anybody can verify it by adding up the reasons. */
export const scoreDebt = (debt: ScoreInput): ScoredDebt => {
  const age = bandOf(AGE, debt.daysOverdue);
  const amount = bandOf(AMOUNT, debt.amountCentavos);
  const reasons: ScoreReason[] = [
    { code: 'base', points: BASE, text: 'Ponto de partida igual para todos' },
    { code: 'age', points: age.points, text: age.text },
    { code: 'amount', points: amount.points, text: amount.text },
    ...historyReasons(debt),
    ...contactReasons(debt),
  ];
  const sum = reasons.reduce((total, reason) => total + reason.points, 0);
  return { debtId: debt.debtId, score: Math.max(0, Math.min(100, sum)), reasons, modelVersion: SCORE_MODEL_VERSION };
};
