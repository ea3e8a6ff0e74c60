import { useTranslation } from 'react-i18next';
import { Disclosure } from '@/ui/display/Disclosure';
import styles from './ChartTable.module.css';

type Props = {
  caption: string;
  /** The first names what the points are of, the others what was measured. */
  columns: readonly string[];
  rows: readonly { key: string; name: string; texts: readonly string[] }[];
};

/** The figures of a chart, for who would rather read them than look at it. */
export function ChartTable({ caption, columns, rows }: Props) {
  const { t } = useTranslation();
  return (
    <Disclosure label={(open) => t(open ? 'ui.hideTable' : 'ui.showTable')}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, texts }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {texts.map((text, at) => (
                <td key={columns[at + 1]}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Disclosure>
  );
}
