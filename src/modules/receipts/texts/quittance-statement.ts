interface Confirmed {
  readonly year: number;
  /** How many bills of earlier years are excepted. */
  readonly earlierOwed: number;
  /** How many bills of the year a person ended without a payment. */
  readonly ended: number;
}

/**
 * What the client confirms before a declaration is issued. A bill that was paid on time never comes to a collection, so that
 * only the client knows whether another one is open. It names nobody, because it is stored.
 */
export function quittanceStatement({ year, earlierOwed, ended }: Confirmed): string {
  const except =
    earlierOwed === 0
      ? ''
      : earlierOwed === 1
        ? ', a não ser a fatura de ano anterior indicada na declaração'
        : `, a não ser as ${earlierOwed} faturas de anos anteriores indicadas na declaração`;
  const nothingDue =
    ended === 0
      ? ''
      : ended === 1
        ? ` Confirmo também que nada é devido pela cobrança de ${year} encerrada sem pagamento.`
        : ` Confirmo também que nada é devido pelas ${ended} cobranças de ${year} encerradas sem pagamento.`;
  return `Confirmo, em nome da empresa, que esta pessoa não tem nenhuma fatura em aberto com vencimento em ${year} nem em anos anteriores, mesmo entre as que nunca passaram por esta cobrança${except}.${nothingDue}`;
}
