/** How long this process wanted to run and was not let, because the machine was busy with others. */
export interface Starvation {
  /** Milliseconds so far. */
  ms(): number;
  end(): void;
}

const beatMs = 10;

/** Watches by a timer that is to fire every few milliseconds: where it is late by more than this process has computed meanwhile, something else ran. */
export function watchStarvation(): Starvation {
  let starvedMs = 0;
  let last = reading();
  const beat = () => {
    const now = reading();
    starvedMs += Math.max(0, now.wallMs - last.wallMs - beatMs - (now.cpuMs - last.cpuMs));
    last = now;
  };
  const timer = setInterval(beat, beatMs);
  return {
    ms: () => {
      beat();
      return starvedMs;
    },
    end: () => clearInterval(timer),
  };
}

function reading() {
  const { user, system } = process.cpuUsage();
  return { wallMs: performance.now(), cpuMs: (user + system) / 1000 };
}
