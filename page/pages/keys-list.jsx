// The keys of the pages, in words.
const LIST = [
  ["/", "Search, or go to an issue, a commit, a file or a project"],
  ["Ctrl K", "The same, also while you write"],
  ["f", "Filter the list"],
  ["c", "Write a new issue in this project"],
  ["j", "Next entry of a list"],
  ["k", "Entry before it"],
  ["Enter", "Open the entry"],
  ["x", "Choose the entry, to change several issues at once"],
  ["e", "Edit the issue"],
  ["l", "Change its labels, or add some to the chosen issues"],
  ["a", "Change its assignee, or that of the chosen issues"],
  ["g i", "Issues of this project"],
  ["g c", "Commits of this project"],
  ["g o", "Overview of this project"],
  ["g h", "All projects"],
  ["g t", "To do"],
  ["g s", "Page of the search"],
  ["Ctrl Enter", "Send the text that you write"],
  ["Escape", "Close a form in which nothing was changed, a menu, or this list"],
  ["?", "This list"],
];

export const KeysList = () => (
  <dl class="keys">
    {LIST.map(([keys, words]) => [
      <dt key={keys}>
        {keys.split(" ").map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>,
      <dd key={words}>{words}</dd>,
    ])}
  </dl>
);
