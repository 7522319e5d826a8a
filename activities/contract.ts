/** Types only: the one file of this folder that workflows may import. */
export interface HeartbeatResult {
  /** The worker's identity as the engine's UI shows it. */
  readonly worker: string;
}

export interface Activities {
  heartbeat(): Promise<HeartbeatResult>;
}
