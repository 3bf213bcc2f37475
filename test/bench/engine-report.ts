/** What one process is to measure on one engine. */
export interface EngineTask {
  /** The bundle of the functions. */
  readonly handlers: string;
  /** Where the report goes. */
  readonly result: string;
  readonly rounds: number;
  /** Sizes of orgs, the smallest first. */
  readonly sizes: readonly number[];
  readonly orgsBeside: number;
  readonly drained: number;
  /** How many corrections of one merchant there are, with the one that is measured. */
  readonly correctionsBefore: readonly number[];
}

export interface Row {
  readonly name: string;
  /** Median of ours ÷ median of the bare calls. */
  readonly ratio: number;
  readonly ratioP99: number;
  readonly calls: number;
  readonly rounds: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface EngineReport {
  readonly rows: readonly Row[];
  readonly corrections: readonly {
    readonly nth: number;
    readonly changes: boolean;
    readonly callsOfSubject: number;
    readonly callsOfLog: number;
    readonly readUnitsOfSubject: number;
    readonly readUnits: number;
    readonly writeUnits: number;
  }[];
  readonly drained: { readonly corrections: number; readonly callsEach: number; readonly ratio: number };
  /** Each beside the smallest org; `beside` with a thousand orgs more ÷ without them. */
  readonly growth: readonly {
    readonly size: number;
    readonly hints: number;
    readonly context: number;
    readonly hintsBeside: number;
    readonly contextBeside: number;
  }[];
}
