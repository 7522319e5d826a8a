import { toReais } from '../../../kernel/money.ts';
import { RIGHTS_TEXTS } from '../texts/rights-page.ts';
import { whyAllowed } from '../texts/why-allowed.ts';
import type { HeldData } from '../use-cases/read-rights.ts';

/** Everything that is held, for a program. Names are in English, as in the API. */
export const copyAsJson = (held: HeldData, at: Date): string =>
  JSON.stringify(
    {
      madeAt: at.toISOString(),
      sandbox: held.sandbox,
      creditor: held.creditor,
      lawfulGround: RIGHTS_TEXTS.data.ground[held.creditor.lawfulGround ?? 'none'],
      person: {
        name: held.name,
        [held.taxId.kind.toLowerCase()]: held.taxId.masked,
        phones: held.phones,
        emails: held.emails,
      },
      debts: held.debts.map((debt) => ({
        id: debt.id,
        invoiceId: debt.invoiceId,
        description: debt.description,
        status: debt.status,
        originalAmount: toReais(debt.amountCentavos),
        owedToday: toReais(debt.owedCentavos),
        dueDate: debt.dueDate,
        importedAt: debt.importedAt.toISOString(),
        consentAt: debt.consentAt,
        consentSource: debt.consentSource,
        score: debt.score,
        scoredAt: debt.scoredAt?.toISOString() ?? null,
        scoreReasons: debt.scoreReasons,
      })),
      contacts: held.contacts.map((contact) => ({
        at: contact.at.toISOString(),
        direction: contact.direction,
        channel: contact.channel,
        purpose: contact.purpose,
        text: contact.text,
        delivery: contact.delivery,
        rules: contact.direction === 'out' ? whyAllowed(contact, held.bases) : [],
      })),
      contactsLeftOut: held.hasMoreContacts,
      agreements: held.agreements.map((agreement) => ({
        protocol: agreement.protocol,
        status: agreement.status,
        total: toReais(agreement.totalCentavos),
        discount: toReais(agreement.discountCentavos),
        acceptedAt: agreement.acceptedAt.toISOString(),
        instalments: agreement.instalments.map(({ number, dueDate, amountCentavos }) => ({
          number,
          dueDate,
          amount: toReais(amountCentavos),
        })),
        url: agreement.url,
      })),
      payments: held.payments.map((payment) => ({
        paidAt: payment.paidAt?.toISOString() ?? null,
        amount: toReais(payment.paidCentavos),
        refunded: toReais(payment.refundedCentavos),
        method: payment.method ?? 'pix',
        invoiceId: payment.invoiceId,
        receiptProtocol: payment.protocol,
        receiptUrl: payment.receiptUrl,
      })),
      bureauListings: held.listings.map((listing) => ({
        bureau: listing.bureau,
        invoiceId: listing.invoiceId,
        notifiedAt: listing.notifiedOn,
        listedAt: listing.listedOn,
        removeBy: listing.removeBy?.toISOString() ?? null,
        removedAt: listing.removedOn,
      })),
      annualQuittances: held.quittances.map((quittance) => ({
        protocol: quittance.protocol,
        year: quittance.year,
        issuedAt: quittance.issuedAt.toISOString(),
        revokedAt: quittance.revokedAt?.toISOString() ?? null,
        url: quittance.url,
      })),
      requests: held.requests.map(({ debtId: _debtId, ...request }) => request),
      preference: held.preference,
    },
    null,
    2,
  );
