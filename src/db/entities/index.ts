import { Campaign } from './campaign.ts';
import { CampaignDay } from './campaign-day.ts';
import { Client } from './client.ts';
import { ContactLedger } from './contact-ledger.ts';
import { Debt } from './debt.ts';
import { DebtEvent } from './debt-event.ts';
import { Message } from './message.ts';
import { Outbox } from './outbox.ts';
import { SandboxAct } from './sandbox-act.ts';
import { SandboxOutbox } from './sandbox-outbox.ts';
import { Suppression } from './suppression.ts';

export const ENTITIES = [
  Campaign,
  CampaignDay,
  Client,
  ContactLedger,
  Debt,
  DebtEvent,
  Message,
  Outbox,
  SandboxAct,
  SandboxOutbox,
  Suppression,
];
