import {
  Button,
  Cascader,
  Checkbox,
  Collapse,
  DatePicker,
  Dropdown,
  Form,
  Input,
  InputNumber,
  Modal,
  Popconfirm,
  Radio,
  Rate,
  Segmented,
  Select,
  Slider,
  Switch,
  Table,
  Tabs,
  Tooltip,
  Tree,
  Upload,
} from "antd";
import dayjs from "dayjs";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { hold } from "../state.js";

const options = words => words.map(word => ({ value: word.toLowerCase(), label: word }));
const places = [
  { value: "portugal", label: "Portugal", children: [{ value: "lisbon", label: "Lisbon" }] },
  { value: "norway", label: "Norway", children: [{ value: "oslo", label: "Oslo" }] },
];

function holdChange({ arrival, ...others }) {
  hold(arrival ? { arrival: arrival.format("YYYY-MM-DD") } : others);
}

function Fields() {
  return (
    <Form layout="vertical" style={{ maxWidth: 400 }} onValuesChange={holdChange}>
      <Form.Item label="Full name" name="name">
        <Input />
      </Form.Item>
      <Form.Item label="Seats" name="seats">
        <InputNumber min={1} max={9} />
      </Form.Item>
      <Form.Item label="Country" name="country">
        <Select options={options(["Norway", "Portugal", "Spain"])} />
      </Form.Item>
      <Form.Item label="City" name="city">
        <Select showSearch options={options(["Berlin", "Lisbon", "Oslo", "Prague"])} />
      </Form.Item>
      <Form.Item label="Hobbies" name="hobbies">
        <Select mode="multiple" options={options(["Chess", "Climbing", "Cooking"])} />
      </Form.Item>
      <Form.Item label="Place" name="place">
        <Cascader options={places} />
      </Form.Item>
      <Form.Item label="Arrival" name="arrival">
        <DatePicker defaultPickerValue={dayjs("2026-05-10")} />
      </Form.Item>
      <Form.Item name="agree" valuePropName="checked">
        <Checkbox>I agree</Checkbox>
      </Form.Item>
      <Form.Item label="Size" name="size">
        <Radio.Group options={options(["Small", "Large"])} />
      </Form.Item>
      <Form.Item label="Wi-Fi" name="wifi" valuePropName="checked">
        <Switch />
      </Form.Item>
      <Form.Item label="Volume" name="volume" initialValue={30}>
        <Slider />
      </Form.Item>
      <Form.Item label="Stars" name="stars">
        <Rate />
      </Form.Item>
      <Form.Item label="Photo" name="photo" getValueFromEvent={event => event.fileList.map(file => file.name)}>
        <Upload beforeUpload={() => false}>
          <Button>Choose photo</Button>
        </Upload>
      </Form.Item>
    </Form>
  );
}

function Overlays() {
  const [open, setOpen] = useState(false);
  const close = deleted => {
    hold({ deleted });
    setOpen(false);
  };
  const items = [
    { key: "rename", label: "Rename" },
    { key: "archive", label: "Archive" },
  ];
  return (
    <>
      <Dropdown menu={{ items, onClick: ({ key }) => hold({ command: key }) }} trigger={["click"]}>
        <Button>Actions</Button>
      </Dropdown>
      <Button onClick={() => setOpen(true)}>Delete file</Button>
      <Modal
        title="Delete this file?"
        open={open}
        okText="Delete"
        onOk={() => close(true)}
        onCancel={() => close(false)}
      >
        It cannot be restored.
      </Modal>
      <Popconfirm title="Leave the team?" okText="Yes" cancelText="No" onConfirm={() => hold({ left: true })}>
        <Button>Leave</Button>
      </Popconfirm>
      <Tooltip title="Saves a copy" onOpenChange={tip => hold({ tip })}>
        <Button>Save</Button>
      </Tooltip>
    </>
  );
}

function Sections() {
  return (
    <>
      <Segmented options={["Day", "Week", "Month"]} onChange={range => hold({ range })} />
      <Tabs
        onChange={tab => hold({ tab })}
        items={[
          { key: "profile", label: "Profile", children: "Your profile" },
          { key: "billing", label: "Billing", children: "Your invoices" },
        ]}
      />
      <Collapse
        onChange={keys => hold({ open: [...keys] })}
        items={[{ key: "shipping", label: "Shipping", children: "Ships in two days." }]}
      />
      <Tree
        checkable
        onCheck={checked => hold({ checked })}
        treeData={[
          {
            title: "Fruit",
            key: "fruit",
            children: [
              { title: "Apple", key: "apple" },
              { title: "Pear", key: "pear" },
            ],
          },
        ]}
      />
      <Table
        rowKey="name"
        pagination={false}
        rowSelection={{ onChange: chosen => hold({ chosen }) }}
        onChange={(page, filters, sorter) => hold({ order: sorter.order })}
        columns={[
          { title: "Name", dataIndex: "name", sorter: (a, b) => a.name.localeCompare(b.name) },
          { title: "Born", dataIndex: "born" },
        ]}
        dataSource={[
          { name: "Grace", born: 1906 },
          { name: "Ada", born: 1815 },
        ]}
      />
    </>
  );
}

createRoot(document.getElementById("root")).render(
  <>
    <Fields />
    <Overlays />
    <Sections />
  </>,
);
