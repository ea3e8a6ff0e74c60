import type { Reporter, TestCase } from 'vitest/node';

/** Names the tests that passed only the second time, with what failed the first: they are to be looked into. */
export function flakyTests(): Reporter {
  const flaky: string[] = [];
  return {
    onTestCaseResult(test: TestCase) {
      if (!test.diagnostic()?.flaky) return;
      const [first] = test.result().errors ?? [];
      flaky.push(`${test.module.relativeModuleId} > ${test.fullName}: ${first?.message ?? ''}`);
    },
    onTestRunEnd() {
      if (flaky.length > 0) process.stdout.write(`  ${flaky.length} flaky\n${flaky.join('\n')}\n`);
    },
  };
}
