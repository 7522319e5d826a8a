/** Types only: the one file of this folder that workflows may import. */
export interface HeartbeatResult {
  /** The worker's identity as the engine's UI shows it. */
  readonly worker: string;
}

export interface PasswordResetRequest {
  readonly clientId: string;
  readonly requestId: string;
}

export interface Activities {
  heartbeat(): Promise<HeartbeatResult>;
  /** Returns how many rows went. */
  purgeExpired(): Promise<number>;
  sendPasswordReset(request: PasswordResetRequest): Promise<void>;
}
