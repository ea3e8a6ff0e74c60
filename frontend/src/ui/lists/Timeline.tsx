import type { ReactNode } from 'react';
import VantSteps from 'react-vant/es/steps/Steps.js';
import VantStep from 'react-vant/es/steps/StepsItem.js';
import styles from './Timeline.module.css';

type Props = {
  label: string;
  /** The latest first: it is where things stand now. */
  steps: readonly { key: string; content: ReactNode }[];
};

/**
 * Events in their order. For screen readers, react-vant's steps are not a list, so the role is set
 * here.
 */
export function Timeline({ label, steps }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: react-vant draws the elements in between.
    <div role="list" aria-label={label}>
      <VantSteps direction="vertical" active={0} activeIcon={<Now />} className={styles.steps}>
        {steps.map(({ key, content }) => (
          <VantStep key={key} className={styles.step}>
            {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
            <div role="listitem" className={styles.content}>
              {content}
            </div>
          </VantStep>
        ))}
      </VantSteps>
    </div>
  );
}

function Now() {
  return <span className={styles.now} />;
}
