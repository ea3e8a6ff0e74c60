/** In place of react-vant's own icons: ours are in ui/display/Icon.tsx. */
const none = () => null;

export {
  none as Arrow,
  none as ArrowDown,
  none as ArrowLeft,
  none as ArrowUp,
  none as Checked,
  none as Clear,
  none as Close,
  none as Cross,
  none as Photo,
  none as PhotoFail,
  none as QuestionO,
  none as Success,
};
