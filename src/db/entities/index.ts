import { Campaign } from './campaign.ts';
import { CampaignDay } from './campaign-day.ts';
import { Client } from './client.ts';
import { Debt } from './debt.ts';
import { DebtEvent } from './debt-event.ts';
import { Message } from './message.ts';
import { Outbox } from './outbox.ts';

export const ENTITIES = [Campaign, CampaignDay, Client, Debt, DebtEvent, Message, Outbox];
