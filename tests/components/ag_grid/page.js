import { AllCommunityModule, createGrid, ModuleRegistry } from "ag-grid-community";
import { hold } from "../state.js";

ModuleRegistry.registerModules([AllCommunityModule]);
const root = document.getElementById("root");
root.style.height = "400px";

createGrid(root, {
  columnDefs: [
    { field: "make", filter: true },
    { field: "model", editable: true, floatingFilter: true, filter: "agTextColumnFilter" },
    { field: "price", editable: true },
    { field: "electric", editable: true },
  ],
  rowData: [
    { make: "Toyota", model: "Celica", price: 35000, electric: false },
    { make: "Ford", model: "Mondeo", price: 32000, electric: false },
    { make: "Porsche", model: "Boxster", price: 72000, electric: true },
  ],
  rowSelection: { mode: "multiRow" },
  pagination: true,
  paginationPageSize: 2,
  paginationPageSizeSelector: [2, 20],
  onSortChanged: ({ api }) => hold({ sort: api.getColumnState().find(column => column.sort)?.sort }),
  onFilterChanged: ({ api }) => hold({ shown: api.getDisplayedRowCount() }),
  onSelectionChanged: ({ api }) => hold({ chosen: api.getSelectedRows().map(row => row.make) }),
  onCellValueChanged: ({ data }) => hold({ edited: data }),
  onPaginationChanged: ({ api }) => hold({ page: api.paginationGetCurrentPage() }),
});
