import { type ReactNode, useId } from 'react';
import VantRadio from 'react-vant/es/radio/Radio.js';
import VantRadioGroup from 'react-vant/es/radio/RadioGroup.js';
import { classNames } from '@/ui/class-names';
import { Icon } from '@/ui/display/Icon';
import { InertDrawing } from './InertDrawing';
import styles from './RadioList.module.css';

type Props<V extends string> = {
  legend: string;
  /** The legend is read aloud alone, where a title above says the same. */
  hideLegend?: boolean;
  options: readonly { value: V; content: ReactNode }[];
  value: V;
  onChange: (value: V) => void;
  /** Short options, side by side where there is room. */
  dense?: boolean;
};

/** A choice of one of a few options, all visible. */
export function RadioList<V extends string>(props: Props<V>) {
  const { legend, hideLegend = false, options, value, onChange, dense = false } = props;
  const name = useId();
  const four = options.length === 4 && styles.four;
  return (
    <fieldset className={classNames(styles.list, dense && styles.dense, four)}>
      <legend className={hideLegend ? 'visually-hidden' : undefined}>{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames(styles.option, option.value === value && styles.chosen)}
        >
          <input
            type="radio"
            className={classNames('ring-only', styles.input)}
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <InertDrawing className={styles.mark}>
            {/* Outside a group react-vant's does not notice that it was chosen. */}
            <VantRadioGroup value={value}>
              <VantRadio name={option.value} iconRender={() => <Tick />} />
            </VantRadioGroup>
          </InertDrawing>
          {option.content}
        </label>
      ))}
    </fieldset>
  );
}

/** Its class is that of react-vant's own, which has an English name. */
function Tick() {
  return (
    <span className="rv-icon">
      <Icon name="check" size={16} />
    </span>
  );
}
